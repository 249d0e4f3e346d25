import { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';

const withToken = z.object({ token: z.string().min(1).max(8192) });
const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('bind-with-token'), payload: withToken }),
  z.object({ type: z.literal('unbind-from-token'), payload: withToken }),
]);

export type Message = { type: 'ping' } | { type: 'bind-with-token' | 'unbind-from-token'; token: string };

/** Throws 400 for what is none of the peer's messages. */
export function readMessage(text: string): Message {
  const { data } = schema.safeParse(parse(text));
  if (!data) throw new AppError('structure', 'A message is ping, bind-with-token or unbind-from-token, with its token');
  return data.type === 'ping' ? data : { type: data.type, token: data.payload.token };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
