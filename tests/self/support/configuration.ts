/** Makes valid configurations, and returns the faults of invalid configurations. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect } from '@playwright/test';
import { ConfigurationError, readTarget } from '../../../fixtures/run/config/target.ts';

/** The environment for a bank on another host. Its credentials do not occur in any other text. */
export const FOREIGN_BANK_ENV = {
  BASE_URL: 'https://bank.example',
  CLIENT_ID: 'an-id-of-1-client',
  CLIENT_SECRET: 'S3cret-value',
  ACCESS_TOKEN: 'T0ken-value',
};

/** The values in `.env.example`, where they are comments. */
export const exampleValues = parseEnv(readFileSync('.env.example', 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, ''));

/** Returns the faults of an environment, together with the `.env` of `folder` if there is one. */
export function findConfigurationFaults(
  env: Readonly<Record<string, string | undefined>>,
  folder: string | null = null,
): readonly string[] {
  const given = Object.entries({ ...FOREIGN_BANK_ENV, ...env }).filter(([, value]) => value !== undefined);
  try {
    readTarget(Object.fromEntries(given), folder);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).faults;
  }
}

export const makeOverlay = (...actions: readonly object[]): string =>
  JSON.stringify({ overlay: '1.0.0', info: { title: 'Acme', version: '1' }, actions });
