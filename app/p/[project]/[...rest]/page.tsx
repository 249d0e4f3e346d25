import { notFound } from 'next/navigation';

/** An address of the project that means nothing: said inside its frame. */
export default function NoSuchPage(): never {
  notFound();
}
