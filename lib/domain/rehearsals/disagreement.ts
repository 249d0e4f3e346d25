import { AppError } from '#lib/base/errors.ts';
import type { SampleResult } from '#lib/protocol/bots/samples.ts';

const MOST_TOLD = 20;

/** What a sample expects and found may be a patient's: who sees samples is told. */
export function disagreement(failed: readonly SampleResult[], isTold: boolean, expression = 'code'): AppError {
  const text = `Nothing was deployed: ${failed.length === 1 ? 'a sample is' : `${failed.length} samples are`} not as expected`;
  const issues = failed.flatMap(({ name, problem, differences: [first] }) => {
    const why = problem ?? (first ? `${first.at} is ${brief(first.found)}, not ${brief(first.expected)}` : '');
    return isTold ? [{ text: `${name}: ${why}`, expression, code: 'business-rule' }] : [];
  });
  return new AppError('business-rule', text, { issues: [{ text, expression }, ...issues.slice(0, MOST_TOLD)] });
}

function brief(value: unknown): string {
  const text = value === undefined ? 'not there' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
