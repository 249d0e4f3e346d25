import Link from 'next/link';
import { DoorHeading } from '#components/door/door-heading.tsx';
import { buttonClass } from '#components/ui/button-class.ts';

/** The ways back for who can no longer read the mail to the address of their account. None is weaker than the sign-in itself. */
export function LostAddress() {
  return (
    <>
      <DoorHeading title="You no longer have your address">
        It still signs you in, as long as you know your password or have your passkey. Then you give your account
        another one.
      </DoorHeading>
      <ol className="mb-6 flex list-decimal flex-col gap-2 pl-5 text-muted">
        <li>
          Sign in with the old address, your password and your second step (a recovery code does as well), or with a
          passkey.
        </li>
        <li>Under “Sign-in address”, type the new one, and open the link that is mailed to it.</li>
        <li>The old address is told, and can stop it for a while: so nobody takes your account away from you.</li>
      </ol>
      <Link
        href={{ pathname: '/signin', query: { next: '/account#address' } }}
        className={buttonClass({ variant: 'primary', size: 'lg' })}
      >
        Sign in and change it
      </Link>
      <p className="mt-6 text-muted">
        No second step and no passkey, or the password is lost, too? Ask an administrator of your project: where the
        account is the project’s own they give it another address, else whoever runs this server does.
      </p>
    </>
  );
}
