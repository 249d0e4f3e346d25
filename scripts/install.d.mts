export function installWhenStale(root: string): Promise<void>;
