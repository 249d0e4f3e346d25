import type { Measured } from './scenario.ts';

export type Line = { name: string; connections: number; product: Measured; bare: Measured };

/** A Markdown table, as it stands in README.md. */
export function toTable(lines: Line[]): string {
  const head = ['', 'Connections', 'Requests/s', 'p50 ms', 'p99 ms', 'Bare requests/s', 'Of bare'];
  const rows = lines.map(({ name, connections, product, bare }) => [
    connections === 1 ? name : '',
    String(connections),
    rate(product.perSecond),
    ms(product.p50),
    ms(product.p99),
    rate(bare.perSecond),
    `${Math.round((100 * product.perSecond) / bare.perSecond)} %`,
  ]);
  return toMarkdown(head, rows);
}

/** Names to the left, numbers to the right. */
export function toMarkdown(head: string[], rows: string[][]): string {
  const align = ['---', ...head.slice(1).map(() => '---:')];
  return [head, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function rate(perSecond: number): string {
  return Math.round(perSecond).toLocaleString('en');
}

export function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}
