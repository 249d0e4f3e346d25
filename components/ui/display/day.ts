/** An instant as a day to keep in mind: "22 December 2026". */
export function toDay(at: string): string {
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}
