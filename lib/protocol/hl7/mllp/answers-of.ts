import type { Hl7Message } from '../message.ts';

/** When an acknowledgement is sent (HL7 table 0155). */
type Condition = 'AL' | 'NE' | 'ER' | 'SU';

/** `enhanced`: CA, CE and CR when it is safe, and AA, AE and AR when it is done. Otherwise one of AA, AE and AR. */
export type Answers = { enhanced: boolean; accept: Condition; application: Condition };

/**
 * Which acknowledgements a message asks for (HL7 v2.5.1 §2.9): in original mode one; where MSH-15 or MSH-16 says anything, enhanced mode, in which
 * what they leave out is not sent.
 */
export function answersOf({ header }: Hl7Message): Answers {
  const [accept, application] = [15, 16].map((field) => {
    const said = header.getComponent(field, 1).trim().toUpperCase();
    // Deleted (HL7 v2.5.1 §2.5.3) is not valued, either.
    return said === '""' ? '' : said;
  });
  if (!accept && !application) return { enhanced: false, accept: 'NE', application: 'AL' };
  return { enhanced: true, accept: toCondition(accept), application: toCondition(application) };
}

export function isAskedFor(condition: Condition, isGood: boolean): boolean {
  return condition === 'AL' || condition === (isGood ? 'SU' : 'ER');
}

/** What it may not say is always told: silence would be taken for loss. */
function toCondition(text = ''): Condition {
  if (text === '' || text === 'NE') return 'NE';
  return text === 'ER' || text === 'SU' ? text : 'AL';
}
