import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { sessionOptions } from '#lib/http/door/session-options.ts';

type Context = { params: Promise<{ nextauth: string[] }> };

/** What next-auth would answer with 500, though it is the caller's fault: a code is traded by POST only, and a body must be readable. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const [action] = (await context.params).nextauth;
  if (request.method === 'GET' && action === 'callback') return refuse(405, 'Method not allowed', { allow: 'POST' });
  try {
    return await NextAuth(request, context, sessionOptions());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(400, 'The body could not be parsed');
  }
}

function refuse(status: number, message: string, headers?: Record<string, string>): Response {
  return Response.json({ message }, { status, headers });
}

export { handle as GET, handle as POST };
