/** Enough of an address for its owner to know it, and for nobody else to write to: `a…@example.com`. */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
