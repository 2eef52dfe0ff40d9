/** DSSE, the Dead Simple Signing Envelope (v1.0), signed with Ed25519 (RFC 8032). */
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

export interface Envelope {
  readonly payloadType: string;
  /** The payload in base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** Puts a payload into a signed envelope. */
export type Sealer = (payloadType: string, payload: string) => Envelope;

/** Returns the bytes to sign: the pre-authentication encoding of type and payload. */
const encodeForSigning = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);

/** Returns the id of a public key: SHA-256 over its SubjectPublicKeyInfo. */
const makeKeyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');

const isEd25519 = (key: KeyObject): boolean => key.asymmetricKeyType === 'ed25519';

/**
 * Makes a function that signs with a private key (PKCS #8, PEM). Throws if the key is not Ed25519; the error does not quote the
 * key.
 */
export function makeSigner(pem: string): Sealer {
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The error message of OpenSSL does not help the user.
  }
  if (key === null || !isEd25519(key)) throw new Error('is no private key of Ed25519 in PEM');
  const [own, keyid] = [key, makeKeyId(createPublicKey(key))];
  return (payloadType, payload) => {
    const bytes = Buffer.from(payload);
    const sig = sign(null, encodeForSigning(payloadType, bytes), own).toString('base64');
    return { payloadType, payload: bytes.toString('base64'), signatures: [{ keyid, sig }] };
  };
}

/** Returns the payload of an envelope; null if this key did not sign it. Throws if the PEM is not a public Ed25519 key. */
export function openEnvelope({ payloadType, payload, signatures }: Envelope, pem: string): string | null {
  let key: KeyObject | null = null;
  try {
    key = createPublicKey(pem);
  } catch {
    // The error message of OpenSSL does not help the user.
  }
  if (key === null || !isEd25519(key)) throw new Error('is no public key of Ed25519 in PEM');
  const [own, bytes] = [key, Buffer.from(payload, 'base64')];
  const isSigned = signatures.some(({ sig }) =>
    verify(null, encodeForSigning(payloadType, bytes), own, Buffer.from(sig, 'base64')),
  );
  return isSigned ? bytes.toString('utf8') : null;
}
