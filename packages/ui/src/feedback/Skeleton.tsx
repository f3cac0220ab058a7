export interface SkeletonProps {
  /** CSS pixels. */
  width: number
  height: number
  shape?: 'text' | 'circle' | 'row'
}

/** A placeholder with the size of the content, so that nothing shifts when it is loaded. */
export function Skeleton({ width, height, shape = 'text' }: SkeletonProps) {
  return (
    <span
      className="hw-skeleton"
      data-shape={shape}
      style={{ inlineSize: width, blockSize: height }}
      aria-hidden="true"
    />
  )
}
