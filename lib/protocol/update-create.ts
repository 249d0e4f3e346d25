/** Setting of a project in which a PUT to an unknown id creates the resource (R4 http §3.1.0.4.1, “update as create”). Off unless it says so. */
export const UPDATE_CREATE = 'updateCreate';
