/**
 * What the mails say. Plain data, so that the words stand in one place; `layout.ts` gives them their look with react-email.
 * `{name}` is replaced by the parameter of that name.
 */
export type Template = {
  subject: string;
  heading: string;
  paragraphs: string[];
  button?: string;
  /** What it is about: a code that is typed into the page that asks for it, whatever the link does. */
  code?: 'alone';
  /** Below the button. */
  footnote: string;
  /** What is said where a parameter is not given. */
  usual?: Record<string, string>;
};
