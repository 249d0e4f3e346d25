import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { sessionOptions } from '#lib/http/session-options.ts';

type Context = { params: Promise<{ nextauth: string[] }> };

function handle(request: NextRequest, context: Context): Promise<Response> {
  return NextAuth(request, context, sessionOptions());
}

export { handle as GET, handle as POST };
