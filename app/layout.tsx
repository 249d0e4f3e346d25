import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '#components/frame/providers.tsx';
import { THEME_COOKIE, toTheme } from '#lib/client/frame/theme.ts';
import { FONTS } from './fonts.ts';
import './globals.css';
import './media.css';

export const metadata: Metadata = {
  title: { default: 'Gatehouse', template: '%s · Gatehouse' },
  description:
    'The front gate of a healthcare data service: people, programs, access and bots around isolated FHIR R4 projects.',
  // Links in mails carry one-time ids: no page tells another site where the reader came from.
  referrer: 'same-origin',
};

export async function generateViewport(): Promise<Viewport> {
  const theme = await chosenTheme();
  return { width: 'device-width', initialScale: 1, colorScheme: theme === 'system' ? 'light dark' : theme };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = await chosenTheme();
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" className={FONTS} data-theme={theme === 'system' ? undefined : theme} suppressHydrationWarning>
      <body>
        <div className="page">
          <Providers nonce={nonce}>{children}</Providers>
        </div>
      </body>
    </html>
  );
}

async function chosenTheme() {
  return toTheme((await cookies()).get(THEME_COOKIE)?.value);
}
