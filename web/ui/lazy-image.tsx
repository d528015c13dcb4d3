import { type ComponentProps, useEffect, useRef } from 'react'

/** How close to the viewport an image starts to load. The browsers' own margin is much larger. */
const ROOT_MARGIN = '240px'

const loaders = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

/** All images share one observer, because a continent has dozens of them. */
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

/** An image that loads shortly before it becomes visible. It needs a size, so that the page does not move. */
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
