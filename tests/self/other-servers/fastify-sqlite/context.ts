import { bugSwitch } from '../server-kit.ts';
import { bugs } from './bugs.ts';
import { openStore, type Store } from './database.ts';

/** What the routes share. */
export interface Context {
  store: Store;
  has: ReturnType<typeof bugSwitch<typeof bugs>>;
  /** Stands for a call to the audit service: other requests get their turn while it is awaited. */
  audit(): Promise<void>;
}

/** Makes the context of one server. */
export function makeContext(bug: string | undefined): Context {
  const has = bugSwitch(bugs, bug);
  return { store: openStore(), has, audit: async () => new Promise((resolve) => setTimeout(resolve, 5)) };
}

/** An error that Fastify answers with its status. */
export class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Money in minor units; an amount finer than a cent is none. */
export function toMinor(amount: number): number {
  const minor = Math.round(amount * 100);
  if (minor <= 0 || !Number.isSafeInteger(minor) || Math.abs(amount * 100 - minor) > 1e-4) {
    throw new Refusal(400, 'amount must be positive and have at most two decimals');
  }
  return minor;
}
