import { type ComponentType, lazy, type ReactNode, useState } from 'react'

export type Later<Props> = ((props: Props) => ReactNode) & {
  /** Fetches the code, or waits until it is here. */
  load: () => Promise<unknown>
}

/**
 * A component whose code comes later. Unlike with `lazy` alone, what has been loaded is drawn at once, so that a drawn
 * page is taken over in one go, and a press that needs it is heard.
 */
export function later<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): Later<Props> {
  let here: ComponentType<Props> | undefined
  const bring = async (): Promise<{ default: ComponentType<Props> }> => {
    const module = await load()
    here = module.default
    return module
  }
  const Lazy = lazy(bring) as ComponentType<Props>
  function Shown(props: Props): ReactNode {
    const [Component] = useState(() => here ?? Lazy)
    return <Component {...props} />
  }
  return Object.assign(Shown, { load: bring })
}
