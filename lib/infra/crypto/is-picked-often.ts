import type { dictionary } from '@zxcvbn-ts/language-common';

let list: Promise<ReadonlySet<string>> | undefined;

/** Whether it stands, in whatever case, in a list of the passwords that people pick most (zxcvbn's, 49,000 of leaks, lower case). */
export async function isPickedOften(password: string): Promise<boolean> {
  list ??= load();
  return (await list).has(password.normalize('NFKC').toLowerCase());
}

/** It takes a few milliseconds and megabytes: read when the first password is chosen. */
async function load(): Promise<ReadonlySet<string>> {
  const known: { dictionary: typeof dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(known.dictionary['passwords-common']);
}
