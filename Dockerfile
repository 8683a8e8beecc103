# The operator's image for those who build with a container engine. What is in it is made first, without one:
#   npm run image -- --layers dist/image && docker build -t registry.example/holdfast:0.1.0 .
FROM scratch
ADD dist/image/runtime.tar /
ADD dist/image/app.tar /
ENV PATH=/usr/local/bin NODE_ENV=production
USER 65532:65532
WORKDIR /app
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=4", "--heap-growing-percent=20", "/app/holdfast.cjs"]
