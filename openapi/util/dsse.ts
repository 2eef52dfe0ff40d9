/** DSSE, the Dead Simple Signing Envelope (v1.0), signed with Ed25519 (RFC 8032). */
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

export interface Envelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** Puts a payload into a signed envelope. */
export type Sealer = (payloadType: string, payload: string) => Envelope;

/** The signed bytes: the pre-authentication encoding of type and payload. */
const encoded = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);

/** The id of a public key: SHA-256 over its SubjectPublicKeyInfo. */
const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');

const isEd25519 = (key: KeyObject): boolean => key.asymmetricKeyType === 'ed25519';

/** Signs with a private key (PKCS #8, PEM). Throws if it is not an Ed25519 key; the error does not quote it. */
export function sealerOf(pem: string): Sealer {
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The message of OpenSSL helps nobody.
  }
  if (key === null || !isEd25519(key)) throw new Error('is no private key of Ed25519 in PEM');
  const [own, keyid] = [key, keyId(createPublicKey(key))];
  return (payloadType, payload) => {
    const bytes = Buffer.from(payload);
    const sig = sign(null, encoded(payloadType, bytes), own).toString('base64');
    return { payloadType, payload: bytes.toString('base64'), signatures: [{ keyid, sig }] };
  };
}

/** The payload of an envelope signed with this key pair; null if it was not. Throws if the PEM is no public Ed25519 key. */
export function opened({ payloadType, payload, signatures }: Envelope, pem: string): string | null {
  let key: KeyObject | null = null;
  try {
    key = createPublicKey(pem);
  } catch {
    // As above.
  }
  if (key === null || !isEd25519(key)) throw new Error('is no public key of Ed25519 in PEM');
  const [own, bytes] = [key, Buffer.from(payload, 'base64')];
  const isSigned = signatures.some(({ sig }) =>
    verify(null, encoded(payloadType, bytes), own, Buffer.from(sig, 'base64')),
  );
  return isSigned ? bytes.toString('utf8') : null;
}
