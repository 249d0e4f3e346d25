import type { LoginMembership } from './login.ts';

/** For how long a yes lets an app in: once so long; or as long as it is used within that time, and no longer than that. In seconds. */
export type AccessLength = { seconds: number } | { unusedSeconds: number; atMostSeconds?: number };

/** What a person is asked before an app gets a code. */
export type Authorization = {
  app: { name: string; description?: string };
  /** Where the answer goes: an origin, or the scheme of an app. */
  sendsTo: string;
  /** OAuth scopes that are in force here. */
  scopes: string[];
  lasts: AccessLength;
  /** With which address they are signed in. */
  person: string;
  /** With which they can use the app. */
  memberships: LoginMembership[];
  /** The id of the one that is meant if they do not say. */
  membership?: string;
  /** A yes is remembered. */
  remembers: boolean;
  /** They have said yes before, to all of it: what is left is the patient. */
  agreed?: true;
  /** The app asks for a patient: who is none themselves chooses one. */
  choosesPatient?: true;
  /** Which patient another system has opened the app about; by name, where that can be read. */
  openedAbout?: string;
};

/** Somebody whom the app may be about. */
export type FoundPatient = { id: string; name: string; birthDate?: string; gender?: string; identifiers: string[] };

/** `more`: there are others, who come with a narrower search. */
export type FoundPatients = { patients: FoundPatient[]; more: boolean };

/** An app that is opened about a patient: where the browser goes, and until when that is good. */
export type StartedLaunch = { launch: string; location: string; expiresAt: string };

/** Where the browser goes next. */
export type Next = { location: string };

/** An app that a person has let in. */
export type OwnConsent = { clientId: string; name: string; scopes: string[]; grantedAt: string };

/** What a person is asked when they type the code of a device. */
export type DeviceQuestion = Pick<
  Authorization,
  'app' | 'scopes' | 'lasts' | 'person' | 'memberships' | 'membership'
> & {
  /** An instant. */
  startedAt: string;
};
