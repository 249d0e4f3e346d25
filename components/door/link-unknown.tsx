import { Link2Off } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '#components/ui/button-class.ts';
import { cn } from '#components/ui/cn.ts';
import { DoorHeading } from './door-heading.tsx';
import { DoorIcon } from './door-icon.tsx';

/** A wrong id and a wrong secret look the same. */
export function LinkUnknown() {
  return (
    <>
      <DoorIcon icon={Link2Off} />
      <DoorHeading title="This link is not complete">
        Part of it may have been cut off on the way. Open it straight from the mail, or copy the whole address, up to
        its last character. The six-digit code in the same mail does as well.
      </DoorHeading>
      <Link href="/setpassword" className={cn(buttonClass({ variant: 'secondary', size: 'lg' }), 'mb-6')}>
        Enter the code
      </Link>
      <p className="text-muted">
        Have a password already?{' '}
        <Link href="/signin" className="font-medium text-accent-text underline-offset-3 hover:underline">
          Sign in
        </Link>
        {' or '}
        <Link href="/resetpassword" className="font-medium text-accent-text underline-offset-3 hover:underline">
          reset your password
        </Link>
      </p>
    </>
  );
}
