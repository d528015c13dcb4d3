import { type ComponentProps, useEffect, useRef } from 'react'

/** How far (px) below or above the window a picture begins to load. Browsers by themselves load from far further. */
const ROOT_MARGIN = '240px'

const loaders = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

/** One observer for all pictures: on a continent they are some dozens. */
function observeNear(element: Element, load: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        observer?.unobserve(target)
        loaders.get(target)?.()
      }
    },
    { rootMargin: ROOT_MARGIN },
  )
  loaders.set(element, load)
  observer.observe(element)
  return () => observer?.unobserve(element)
}

type LazyImageProps = Omit<ComponentProps<'img'>, 'src' | 'loading'> & { src: string; alt: string }

/** A picture that is fetched when it is about to be seen. Its size must be given, so that nothing moves. */
export function LazyImage({ src, alt, ...rest }: LazyImageProps) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const element = image.current
    if (!element) return
    return observeNear(element, () => {
      element.src = src
    })
  }, [src])
  return <img {...rest} ref={image} alt={alt} />
}
