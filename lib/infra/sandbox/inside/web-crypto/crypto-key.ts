export type KeyAlgorithm = { name: string; hash?: { name: string }; namedCurve?: string; length?: number } & {
  modulusLength?: number;
  publicExponent?: Uint8Array;
};
/** Bytes of a secret, or the JWK of one of a pair. */
export type Material = { raw: Uint8Array } | { jwk: JsonWebKey };
export type JsonWebKey = Record<string, unknown> & { kty?: string; crv?: string; d?: string; x?: string; y?: string };
export type KeyFacts = {
  type: 'secret' | 'private' | 'public';
  extractable: boolean;
  algorithm: KeyAlgorithm;
  usages: string[];
};

/** https://w3c.github.io/webcrypto/#cryptokey-interface */
export class CryptoKey {
  readonly type: KeyFacts['type'];
  readonly extractable: boolean;
  readonly algorithm: KeyAlgorithm;
  readonly usages: string[];
  readonly #material: Material;

  constructor(material: Material, { type, extractable, algorithm, usages }: KeyFacts) {
    this.#material = material;
    this.type = type;
    this.extractable = extractable;
    this.algorithm = algorithm;
    this.usages = [...usages];
  }

  static materialOf(key: CryptoKey): Material {
    return key.#material;
  }

  get [Symbol.toStringTag](): string {
    return 'CryptoKey';
  }
}
