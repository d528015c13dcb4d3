import { type ComponentType, lazy, type ReactNode, useState } from 'react'

export type Preloadable<Props> = ((props: Props) => ReactNode) & {
  /** Loads the code, so that the component can render synchronously. */
  load: () => Promise<unknown>
}

/**
 * A component whose code is loaded on demand. Unlike `lazy` alone, it renders synchronously once its code is loaded, so
 * that a prerendered page hydrates in one pass and replayed clicks reach their handlers.
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
