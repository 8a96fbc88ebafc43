# Builds the console with all packages, then keeps only what the server needs.
FROM node:24-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build-console.ts

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings its own Node, so the packaged one is dropped.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-*

FROM node:24-slim
ENV NODE_ENV=production THALAMUS_HOST=0.0.0.0 THALAMUS_DATA_DIR=/data
WORKDIR /app
COPY . .
COPY --from=packages /app/node_modules node_modules
COPY --from=console /app/console/dist console/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4747
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 4747}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=12", "--heap-growing-percent=100", "cli/main.ts", "start"]
