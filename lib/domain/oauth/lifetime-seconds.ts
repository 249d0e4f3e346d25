const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_557_600 };

/** A client's own token lifetime, digits and a unit (`15m`, `2w`), in seconds; undefined when it has none (contract §1.3). */
export function lifetimeSeconds(value: string | undefined): number | undefined {
  const [, digits, unit] = /^(\d+)([smhdwy])$/.exec(value ?? '') ?? [];
  return digits && unit ? Number(digits) * UNIT_SECONDS[unit]! : undefined;
}
