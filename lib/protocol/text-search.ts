/** Setting of a project whose resources are found by their words (`_text`, `_content`). Off unless it says so: it makes every write dearer. */
export const TEXT_SEARCH = 'textSearch';
