declare module '*.svg?tree' {
  /** An element of an SVG file: its name, its attributes as React props, its children. */
  export type SvgTree = readonly [
    name: string,
    props: Readonly<Record<string, unknown>>,
    children: readonly SvgTree[],
  ]
  export const tree: SvgTree
}
