import { expressionOf } from '../validate/check-context.ts';
import type { Entry, Scene } from './scene.ts';

const MAX_FINDINGS = 50;

/** What stands against the value at this place. */
export function tell(scene: Scene, at: Entry['at'], code: string, text: string): void {
  if (scene.findings.length >= MAX_FINDINGS) return;
  scene.findings.push({ severity: 'error', code, text, expression: expressionOf([scene.type, ...at]) });
}

/** A code that could be better. */
export function tellAdvice(scene: Scene, at: Entry['at'], text: string): void {
  if (scene.findings.length >= MAX_FINDINGS) return;
  scene.findings.push({
    severity: 'warning',
    code: 'code-invalid',
    text,
    expression: expressionOf([scene.type, ...at]),
  });
}
