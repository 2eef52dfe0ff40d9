/** Ends synchronous work that takes too long. */
import { Script } from 'node:vm';

/** The time limit for applying an overlay: thirty times what the largest overlay needs. */
const MAX_MS = 3000;

/** The name of the global variable that gives the function to the script. */
const RUNNING_FUNCTION = '__limited';

/** Returns the result of `run`. Throws an error of one sentence if `run` takes too long. */
export function runWithTimeout<T>(run: () => T): T {
  const globals = globalThis as unknown as Record<string, unknown>;
  globals[RUNNING_FUNCTION] = run;
  try {
    return new Script(`${RUNNING_FUNCTION}()`).runInThisContext({ timeout: MAX_MS }) as T;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(`it takes longer than ${MAX_MS / 1000} seconds.`, { cause: error });
  } finally {
    delete globals[RUNNING_FUNCTION];
  }
}
