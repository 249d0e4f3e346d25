/** Setting of a project: false where nothing is kept of what goes into its bots and comes out of them. */
export const RUN_CONTENTS = 'botRunContents';
