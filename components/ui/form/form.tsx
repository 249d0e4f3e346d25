import type { ComponentProps } from 'react';

export type FormProps = ComponentProps<'form'> & {
  /** It is sent, and not answered yet. */
  busy: boolean;
};

/** Refusals stand at the fields in our own words, not the browser's. Before React listens, nothing that was typed gets into an address. */
export function Form({ busy, ...rest }: FormProps) {
  return <form method="post" noValidate {...rest} aria-busy={busy || undefined} />;
}
