/** A configuration that is right, and what is said of one that is not. */
import { generateKeyPairSync } from 'node:crypto';
import { expect } from '@playwright/test';
import { ConfigurationError, readTarget } from '../../../fixtures/config/target.ts';

/** Names a bank elsewhere, with credentials that no other text holds. */
export const foreign = {
  BASE_URL: 'https://bank.example',
  CLIENT_ID: 'an-id-of-1-client',
  CLIENT_SECRET: 'S3cret-value',
  ACCESS_TOKEN: 'T0ken-value',
};

/** What is wrong with an environment, with the `.env` of `folder` where one is given. */
export function faultsOf(
  env: Readonly<Record<string, string | undefined>>,
  folder: string | null = null,
): readonly string[] {
  try {
    readTarget({ ...foreign, ...env }, folder);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).faults;
  }
}

/** A key pair that signs attestations, in PEM. */
export const signingKeys = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

/** An overlay as a text. */
export const overlayWith = (...actions: readonly object[]): string =>
  JSON.stringify({ overlay: '1.0.0', info: { title: 'Acme', version: '1' }, actions });
