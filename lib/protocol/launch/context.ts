/** What an app was started about (SMART App Launch 2.2, "Launch context"): ids. */
export type LaunchContext = {
  /** By whom: a system that opens the app about a record, or the person who chose one for it. */
  by: 'ehr' | 'person';
  patient: string;
  encounter?: string;
  /** Whether the app shows whom it is about: false where it stands inside a page that does. */
  needPatientBanner: boolean;
};
