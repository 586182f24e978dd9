import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// Django serves `dist` as static files, so the built page asks for its assets under /static/.
export default defineConfig(({ command }) => ({
  base: command === 'build' ? '/static/' : '/',
  plugins: [react()],
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 700 },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/testing/setup.ts'],
    css: false,
    restoreMocks: true,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
}));
