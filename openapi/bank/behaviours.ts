/** Names the behaviours that the engine judges. */
export { behaviourClauses, comparedBehaviours, runBehaviours } from '../behaviours/index.ts';
