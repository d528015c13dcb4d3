import { type ComponentType, lazy, type ReactNode, useState } from 'react'

export type Preloadable<Props> = ((props: Props) => ReactNode) & {
  /** Fetches the code, or waits until it is here. */
  load: () => Promise<unknown>
}

/**
 * A component whose code comes later. Unlike with `lazy` alone, what has been loaded is drawn at once, so that a drawn
 * page is taken over in one go, and a press that needs it is heard.
 */
export function lazyPreloadable<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): Preloadable<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadModule = async (): Promise<{ default: ComponentType<Props> }> => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Lazy = lazy(loadModule) as ComponentType<Props>
  function LoadedOrLazy(props: Props): ReactNode {
    const [Component] = useState(() => loaded ?? Lazy)
    return <Component {...props} />
  }
  return Object.assign(LoadedOrLazy, { load: loadModule })
}
