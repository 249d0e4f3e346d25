/** A client's own token lifetime: one to five digits and a unit (`15m`, `2w`; contract §1.3, clapp-1). PostgreSQL reads it as JavaScript does. */
export const LIFETIME = /^([0-9]{1,5})([smhdwy])$/;

export const UNIT_SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_557_600,
};

/** Longer is as good as for ever, and further than PostgreSQL counts back from now. */
export const MOST_LIFETIME_SECONDS = 1000 * 31_557_600;

/** Undefined when the client has none. */
export function lifetimeSeconds(value: string | undefined): number | undefined {
  const [, digits, unit] = LIFETIME.exec(value ?? '') ?? [];
  return digits && unit ? Math.min(Number(digits) * UNIT_SECONDS[unit]!, MOST_LIFETIME_SECONDS) : undefined;
}
