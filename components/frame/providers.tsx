'use client';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useState } from 'react';
import { ToastProvider } from '#components/ui/toast.tsx';
import { TooltipProvider } from '#components/ui/tooltip.tsx';
import { makeQueryClient } from '#lib/client/query-client.ts';

export function Providers({ nonce, children }: { nonce?: string; children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  return (
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <NuqsAdapter>
          <TooltipProvider>
            <ToastProvider>{children}</ToastProvider>
          </TooltipProvider>
        </NuqsAdapter>
      </QueryClientProvider>
    </CSPProvider>
  );
}
