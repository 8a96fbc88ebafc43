/** Colours as the page shows them now, by their CSS; canvas itself knows no variables. */
export function readColours(canvas: HTMLCanvasElement) {
  const known = new Map<string, string>();
  const probe = document.createElement('span');
  canvas.after(probe);
  return {
    of(css: string): string {
      const colour = known.get(css);
      if (colour) return colour;
      probe.style.color = css;
      known.set(css, getComputedStyle(probe).color);
      return known.get(css) ?? css;
    },
    onChange(act: () => void): () => void {
      const change = () => (known.clear(), act());
      const scheme = matchMedia('(prefers-color-scheme: dark)');
      const observer = new MutationObserver(change);
      scheme.addEventListener('change', change);
      observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
      return () => {
        scheme.removeEventListener('change', change);
        observer.disconnect();
        probe.remove();
      };
    },
  };
}
