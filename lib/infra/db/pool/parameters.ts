import type postgres from 'postgres';

const MOST_PARAMETERS = 65_533;

/** Throws TypeError for what the driver finds out about only when others wait behind it on its connection. */
export function checkParameters(given: readonly unknown[]): void {
  if (given.length > MOST_PARAMETERS) throw new TypeError(`A statement has more than ${MOST_PARAMETERS} parameters`);
  for (const one of given) {
    const isText = typeof one !== 'object' || one === null || 'toString' in one;
    if (one === undefined || typeof one === 'symbol' || typeof one === 'function' || !isText)
      throw new TypeError(`A parameter of a statement is ${typeof one}`);
    if (one instanceof Date && Number.isNaN(one.getTime()))
      throw new TypeError('A parameter of a statement is no moment');
  }
}

/** What writes parameters of these types gives texts, also of numbers: Drizzle passes on what it gets. */
export function writeTexts({ serializers }: postgres.Sql['options']): void {
  for (const [type, write] of Object.entries(serializers)) {
    serializers[Number(type)] = (value: unknown) => {
      const written: unknown = write(value);
      return typeof written === 'object' ? written : String(written);
    };
  }
}

/** For a transaction: Drizzle sets its serializers there, and those of the pool are there already, and write texts. */
export function optionsOf({ options }: postgres.Sql): postgres.Sql['options'] {
  return { ...options, parsers: {}, serializers: {} };
}
