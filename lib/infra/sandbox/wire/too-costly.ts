/** What a call rejects with that asks for too much: an OperationOutcome. */
export function tooCostly(text: string) {
  return {
    resourceType: 'OperationOutcome' as const,
    issue: [{ severity: 'error', code: 'too-costly', details: { text } }],
  };
}
