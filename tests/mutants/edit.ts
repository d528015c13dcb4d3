/** A change of a product file while it is loaded. `find` occurs in the file exactly once. */
export type Edit = { file: string; find: string; replace: string }

/** Known bugs by name. */
export type Mutants = Readonly<Record<string, readonly Edit[]>>

export const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })
