/** The behaviours that are judged. */
export { behaviourClauses, comparedBehaviours, runBehaviours } from '../behaviours/index.ts';
