import { NextRequest } from 'next/server.js';
import NextAuth from 'next-auth';
import { AppError, ERRORS } from '#lib/base/errors.ts';
import { readBytes } from '#lib/http/door/read-body.ts';
import { sessionOptions } from '#lib/http/door/session-options.ts';

type Context = { params: Promise<{ nextauth: string[] }> };

/** What next-auth would answer with 500, though it is the caller's fault: a code is traded by POST only, and a body must be readable. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const [action] = (await context.params).nextauth;
  if (request.method === 'GET' && action === 'callback') return refuse(405, 'Method not allowed', { allow: 'POST' });
  try {
    return await NextAuth(await withBody(request), context, sessionOptions());
  } catch (error) {
    if (error instanceof AppError) return refuse(ERRORS[error.code].status, error.message);
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(400, 'The body could not be parsed');
  }
}

/** Read as every body is: next-auth would take one of any size, and fail by one that its sender breaks off. */
async function withBody(request: NextRequest): Promise<NextRequest> {
  const { method, headers } = request;
  return method === 'POST'
    ? new NextRequest(request.url, { method, headers, body: await readBytes(request) })
    : request;
}

function refuse(status: number, message: string, headers?: Record<string, string>): Response {
  return Response.json({ message }, { status, headers });
}

export { handle as GET, handle as POST };
