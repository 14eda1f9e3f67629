const extensions = ["png", "jpg", "jpeg", "tif", "tiff"] as const

/** True for an extension, in lower case, of pictures that can be put on a page to be recognised. */
export const isPicture = (extension: string): boolean => extensions.some((one) => one === extension)
