import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env.THALAMUS_URL ?? 'http://localhost:4747';

/** Built into `dist`, which the server serves; `vite console` proxies to a running server. */
export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    chunkSizeWarningLimit: 700, // kB; the libraries are one file that seldom changes
    assetsInlineLimit: 0, // the content security policy allows no inlined script
    modulePreload: { polyfill: false },
    // Libraries change seldom, so browsers keep them when the console changes. What only the graph or the editor needs comes with it.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules\/(?!d3-|@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': server, '/auth': server, '/api': server } },
});
