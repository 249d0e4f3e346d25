import { uuidHash } from '#lib/infra/db/cluster/uuid-hash.ts';
import { seeded } from './seeded.ts';

export type Project = {
  /** Of its id: where it lies. */
  hash: number;
  bytes: number;
};

/** How projects differ in size. Each is scaled to the same sum, so that only the differences tell. */
export const SHAPES = {
  /** Many clinics, some hospitals: the largest of 10,000 has about 2 % of everything. */
  'lognormal, σ = 2': (_rank: number, random: () => number) => Math.exp(2 * normal(random)),
  /** The hard case: the n-th largest is an n-th of the largest, which has a tenth of everything. */
  'Zipf, s = 1': (rank: number) => 1 / rank,
} as const;

export type Shape = keyof typeof SHAPES;

export function makeProjects(shape: Shape, count: number, totalBytes: number, seed: number): Project[] {
  const random = seeded(seed);
  const sizes = Array.from({ length: count }, (_, n) => SHAPES[shape](n + 1, random));
  const sum = sizes.reduce((total, size) => total + size, 0);
  return sizes.map((size) => ({ hash: uuidHash(randomId(random)), bytes: (size / sum) * totalBytes }));
}

/** A uuid of version 4, always the same of a seed. */
function randomId(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  const variant = '89ab'[Math.floor(random() * 4)];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
